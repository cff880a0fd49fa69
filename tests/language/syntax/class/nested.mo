package A
  package B
    package C
      model D
        record E
          Real x;
        end E;
        E e;
      end D;
    end C;
  protected
    model F end F;
  end B;
end A;

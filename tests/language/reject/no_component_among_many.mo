// The message names eight of the components, and says how many there are besides.
model M
  record Ten
    Real alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel, india, juliet;
  end Ten;
  record Eight
    Real alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel;
  end Eight;
  Ten t;
  Eight e;
  Real x = t.zz;
  Real y = e.zz;
end M;
// expect error: 11:14 'M.Ten' has no component 'zz'; it has alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel and 2 more
// expect error: 12:14 'M.Eight' has no component 'zz'; it has alpha, bravo, charlie, delta, echo, foxtrot, golf, hotel

model A Real x[3](each start=1)={1,2,3};equation x[1]=2;if x[1]>1then x[2]=3;end if;end A;

within;
model M end M;

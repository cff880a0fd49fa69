operator model A end A;
expandable model B end B;
pure model C end C;
// expect error: 1:10 'operator' cannot stand before 'model'
// expect error: 2:12 'expandable' cannot stand before 'model'
// expect error: 3:1 'pure' stands only before 'function'

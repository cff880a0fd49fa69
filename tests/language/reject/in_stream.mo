model M
  Real x = inStream(1);
end M;
// expect error: 2:12 'inStream' is not supported: there are no stream connectors

within Lib;
model Misnamed
end Misnamed;

model A end A; // no line break behind this

model A
	Real	x	y;
end A;
// expect error: 2:9 expected ';' behind the declaration, found identifier 'y'

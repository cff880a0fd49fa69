// nothing here
/* nor here */

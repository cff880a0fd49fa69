// SPDX-License-Identifier: MIT
//
// The folder of an FMU's resources: a path (FMI 3.0), or a URI, "file:///tmp/a%20b" (FMI 2.0).

#ifndef SALTUS_FMU_LOCATION_H
#define SALTUS_FMU_LOCATION_H

// To be freed. NULL: it is no file, or there is no memory.
char *location_folder(const char *location);
// "modes" beside the file that this code was loaded from, wherever the importer says that the
// resources are: nothing else is loaded. To be freed; NULL: it is not known.
char *location_modes(void);

#endif

// SPDX-License-Identifier: MIT
//
// All external functions: X(name in C, signature, function), see external.h.

#ifndef SALTUS_EXTERNAL_FUNCTIONS_H
#define SALTUS_EXTERNAL_FUNCTIONS_H

#include "external/external.h"

#define EXTERNAL_LIST(X)                                                                           \
    X(ModelicaStrings_length, "s>i", strings_length)                                               \
    X(ModelicaStrings_compare, "ssi>i", strings_compare)                                           \
    X(ModelicaStrings_substring, "sii>s", strings_substring)                                       \
    X(ModelicaStrings_hashString, "s>i", strings_hash)                                             \
    X(ModelicaStrings_skipWhiteSpace, "si>i", strings_skip)                                        \
    X(ModelicaStrings_scanReal, "sii&i&r", strings_scan_real)                                      \
    X(ModelicaStrings_scanInteger, "sii&i&i", strings_scan_integer)                                \
    X(ModelicaStrings_scanString, "si&i&s", strings_scan_string)                                   \
    X(ModelicaStrings_scanIdentifier, "si&i&s", strings_scan_identifier)                           \
    X(ModelicaRandom_xorshift64star, "I&I&r", random_call_64star)                                  \
    X(ModelicaRandom_xorshift128plus, "I&I&r", random_call_128plus)                                \
    X(ModelicaRandom_xorshift1024star, "I&I&r", random_call_1024star)                              \
    X(ModelicaRandom_setInternalState_xorshift1024star, "!Iii", random_set_hidden)                 \
    X(ModelicaRandom_impureRandom_xorshift1024star, "!i>r", random_hidden)                         \
    X(ModelicaRandom_automaticGlobalSeed, "!r>i", random_seed)                                     \
    X(ModelicaInternal_fullPathName, "s>s", files_full_name)                                       \
    X(ModelicaInternal_stat, "s>i", files_kind)                                                    \
    X(ModelicaInternal_countLines, "s>i", files_count)                                             \
    X(ModelicaInternal_readLine, "si&i>s", files_line)                                             \
    X(ModelicaInternal_readFile, "s&Si", files_read)                                               \
    X(ModelicaStreams_closeFile, "s", files_close)                                                 \
    X(ModelicaIO_readMatrixSizes, "ss&I", files_matrix_size)                                       \
    X(ModelicaIO_readRealMatrix, "ss&Riii", files_matrix)                                          \
    X(ModelicaInternal_print, "?ss", said_text)                                                    \
    X(ModelicaInternal_removeFile, "!s", said_remove)                                              \
    X(ModelicaIO_writeRealMatrix, "!ssRiiis>i", said_matrix)                                       \
    X(ModelicaFFT_kiss_fftr, "Ri&Ri&R&R>i", fourier_real)                                          \
    X(saltus_fmu_step, "!ssrRR&R", guest_step)                                                     \
    X(saltus_fmu_begin, "!ssrRR&R", guest_begin)                                                   \
    X(saltus_fmu_flow, "ssrrRRR&R", guest_flow)                                                    \
    X(saltus_fmu_event, "!ssrrRRR&R", guest_event)                                                 \
    X(dgesv, "ii&Ri&I&Ri&i", algebra_dgesv)                                                        \
    X(dgetrf, "ii&Ri&I&i", algebra_dgetrf)                                                         \
    X(dgetrs, "siiRiI&Ri&i", algebra_dgetrs)                                                       \
    X(dgetri, "i&RiI&Ri&i", algebra_dgetri)                                                        \
    X(dgelsy, "iii&Ri&Ri&Ir&i&Ri&i", algebra_dgelsy)                                               \
    X(dpotrf, "si&Ri&i", algebra_dpotrf)                                                           \
    X(dgeev, "ssi&Ri&R&R&Ri&Ri&Ri&i", spectral_dgeev)                                              \
    X(dgesvd, "ssii&Ri&R&Ri&Ri&Ri&i", spectral_dgesvd)                                             \
    X(dgesdd, "sii&Ri&R&Ri&Ri&Ri&I&i", spectral_dgesdd)                                            \
    X(dgeqp3, "ii&Ri&I&R&Ri&i", spectral_dgeqp3)                                                   \
    X(dgeqrf, "ii&Ri&R&Ri&i", spectral_dgeqrf)                                                     \
    X(dorgqr, "iii&RiR&Ri&i", spectral_dorgqr)                                                     \
    X(dlange, "siiRi&R>r", spectral_dlange)                                                        \
    X(dgtsv, "ii&R&R&R&Ri&i", spectral_dgtsv)                                                      \
    X(dgecon, "siRir&r&R&I&i", algebra_dgecon)                                                     \
    X(dgesvx, "ssii&Ri&Ri&IsRR&Ri&Ri&r&R&R&R&I&i", algebra_dgesvx)                                 \
    X(dgbsv, "iiiiRi&I&Ri&i", algebra_dgbsv)                                                       \
    X(dtrsm, "ssssiirRi&Ri", algebra_dtrsm)                                                        \
    X(dgehrd, "iii&Ri&R&Ri&i", schur_dgehrd)                                                       \
    X(dorghr, "iii&RiR&Ri&i", schur_dorghr)                                                        \
    X(dormqr, "ssiiiRiR&Ri&Ri&i", schur_dormqr)                                                    \
    X(dormhr, "ssiiiiRiR&Ri&Ri&i", schur_dormhr)                                                   \
    X(dgees, "ssIi&Ri&i&R&R&Ri&Ri&I&i", schur_dgees)                                               \
    X(dhseqr, "ssiii&Ri&R&R&Ri&Ri&i", schur_dhseqr)                                                \
    X(dtrsyl, "ssiiiRiRi&Ri&r&i", schur_dtrsyl)                                                    \
    X(dtrsen, "ssIi&Ri&Ri&R&R&i&r&r&Ri&Ii&i", schur_dtrsen)                                        \
    X(dgglse, "iii&Ri&Ri&R&R&R&Ri&i", schur_dgglse)                                                \
    X(dgels, "siii&Ri&Ri&Ri&i", schur_dgels)                                                       \
    X(dtrevc, "ssIiRi&Ri&Riii&R&i", pencil_dtrevc)                                                 \
    X(dgeevx, "ssssi&Ri&R&R&Ri&Ri&i&i&R&r&R&R&Ri&I&i", pencil_dgeevx)                              \
    X(dggev, "ssi&Ri&Ri&R&R&R&Ri&Ri&Ri&i", pencil_dggev)                                           \
    X(dggevx, "ssssiRiRi&R&R&R&Ri&Ri&i&i&R&R&r&r&R&R&Ri&I&I&i", pencil_dggevx)                     \
    X(dhgeqz, "sssiii&Ri&Ri&R&R&R&Ri&Ri&Ri&i", pencil_dhgeqz)                                      \
    X(ModelicaStandardTables_CombiTimeTable_init2, "ssRiirIiiirii>o", chart_time_init)             \
    X(ModelicaStandardTables_CombiTimeTable_init3, "ssRiirIiiiriisi>o", chart_time_init)           \
    X(ModelicaStandardTables_CombiTimeTable_close, "o", chart_close)                               \
    X(ModelicaStandardTables_CombiTimeTable_getValue, "oirrr>r", chart_time_value)                 \
    X(ModelicaStandardTables_CombiTimeTable_getDerValue, "oirrrr>r", chart_time_derivative)        \
    X(ModelicaStandardTables_CombiTimeTable_getDer2Value, "oirrrrr>r", chart_time_second)          \
    X(ModelicaStandardTables_CombiTimeTable_minimumTime, "o>r", chart_minimum)                     \
    X(ModelicaStandardTables_CombiTimeTable_maximumTime, "o>r", chart_maximum)                     \
    X(ModelicaStandardTables_CombiTimeTable_nextTimeEvent, "or>r", chart_time_event)               \
    X(ModelicaStandardTables_CombiTable1D_init2, "ssRiiIiiii>o", chart_one_init)                   \
    X(ModelicaStandardTables_CombiTable1D_init3, "ssRiiIiiiisi>o", chart_one_init)                 \
    X(ModelicaStandardTables_CombiTable1D_close, "o", chart_close)                                 \
    X(ModelicaStandardTables_CombiTable1D_getValue, "oir>r", chart_one_value)                      \
    X(ModelicaStandardTables_CombiTable1D_getDerValue, "oirr>r", chart_one_derivative)             \
    X(ModelicaStandardTables_CombiTable1D_getDer2Value, "oirrr>r", chart_one_second)               \
    X(ModelicaStandardTables_CombiTable1D_minimumAbscissa, "o>r", chart_minimum)                   \
    X(ModelicaStandardTables_CombiTable1D_maximumAbscissa, "o>r", chart_maximum)                   \
    X(ModelicaStandardTables_CombiTable2D_init2, "ssRiiiii>o", chart_two_init)                     \
    X(ModelicaStandardTables_CombiTable2D_init3, "ssRiiiiisi>o", chart_two_init)                   \
    X(ModelicaStandardTables_CombiTable2D_close, "o", chart_close)                                 \
    X(ModelicaStandardTables_CombiTable2D_getValue, "orr>r", chart_two_value)                      \
    X(ModelicaStandardTables_CombiTable2D_getDerValue, "orrrr>r", chart_two_derivative)            \
    X(ModelicaStandardTables_CombiTable2D_getDer2Value, "orrrrrr>r", chart_two_second)             \
    X(ModelicaStandardTables_CombiTable2D_minimumAbscissa, "o&R", chart_two_minimum)               \
    X(ModelicaStandardTables_CombiTable2D_maximumAbscissa, "o&R", chart_two_maximum)

// Derivatives of some of them, forwards: X(name, signature, function). The arguments are those of
// the function after its call, then the derivatives of the Real ones; the result is that of its
// result.
#define EXTERNAL_FORWARD_LIST(X)                                                                   \
    X(saltus_fmu_flow, "ssrrRRRRrrRRR&R", guest_flow_forward)                                      \
    X(dgesv, "iiRiIRii&R&R", algebra_dgesv_forward)                                                \
    X(ModelicaStandardTables_CombiTimeTable_getValue, "oirrrrrr>r", chart_time_derivative)         \
    X(ModelicaStandardTables_CombiTimeTable_getDerValue, "oirrrrrrrr>r", chart_time_forward_2)     \
    X(ModelicaStandardTables_CombiTable1D_getValue, "oirr>r", chart_one_derivative)                \
    X(ModelicaStandardTables_CombiTable1D_getDerValue, "oirrrr>r", chart_one_forward)              \
    X(ModelicaStandardTables_CombiTable2D_getValue, "orrrr>r", chart_two_derivative)               \
    X(ModelicaStandardTables_CombiTable2D_getDerValue, "orrrrrrrr>r", chart_two_forward)

#define X(name, signature, function) ExternalFunction function;
EXTERNAL_LIST(X)
#undef X
ExternalFunction chart_time_forward_2, chart_one_forward, chart_two_forward;
ExternalFunction algebra_dgesv_forward, guest_flow_forward;

#endif

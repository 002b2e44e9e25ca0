/** Certificates from an authority, ordered and renewed by the server itself (ACME, RFC 8555). */
@NullMarked
package io.penstock.acme;

import org.jspecify.annotations.NullMarked;

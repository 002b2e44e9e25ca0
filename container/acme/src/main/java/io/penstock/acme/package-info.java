/** Orders and renews the server's certificates at a certificate authority (ACME, RFC 8555). */
@NullMarked
package io.penstock.acme;

import org.jspecify.annotations.NullMarked;

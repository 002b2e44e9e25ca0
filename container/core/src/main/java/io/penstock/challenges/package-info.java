/** Proofs of control over host names. Certificate authorities ask for these proofs (ACME, RFC 8555). */
@NullMarked
package io.penstock.challenges;

import org.jspecify.annotations.NullMarked;

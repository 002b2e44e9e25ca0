/** Proofs of control over host names, which authorities of certificates ask for (ACME, RFC 8555). */
@NullMarked
package io.penstock.challenges;

import org.jspecify.annotations.NullMarked;

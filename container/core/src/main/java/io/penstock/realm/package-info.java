/**
 * Users: the interface for a program's own realm, a realm over a database, and the comparison of passwords with hashes. This package does
 * not depend on requests; {@code security} calls it.
 */
@NullMarked
package io.penstock.realm;

import org.jspecify.annotations.NullMarked;

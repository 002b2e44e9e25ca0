/**
 * Users of a server: the interface {@link Realm}, a realm that reads users from a database, and hashes of passwords. This package does not
 * depend on HTTP requests. The package {@code security} calls it.
 */
@NullMarked
package io.penstock.realm;

import org.jspecify.annotations.NullMarked;

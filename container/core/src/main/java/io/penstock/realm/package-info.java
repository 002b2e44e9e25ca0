/**
 * Users: what a program implements to bring its own, a realm over a database, and what compares passwords with hashes. It knows no
 * requests; {@code security} asks.
 */
@NullMarked
package io.penstock.realm;

import org.jspecify.annotations.NullMarked;

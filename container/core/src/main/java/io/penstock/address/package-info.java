/** Addresses in text form: hosts, IP addresses, networks, paths, and the locations of contexts. */
@NullMarked
package io.penstock.address;

import org.jspecify.annotations.NullMarked;

/** The server's certificates and keys: read from files, chosen for each client, replaced while the server runs. */
@NullMarked
package io.penstock.certificates;

import org.jspecify.annotations.NullMarked;

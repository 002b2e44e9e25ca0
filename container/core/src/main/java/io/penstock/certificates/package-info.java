/** The server's certificates and keys: reads them from files, chooses them for each client, replaces them while the server runs. */
@NullMarked
package io.penstock.certificates;

import org.jspecify.annotations.NullMarked;

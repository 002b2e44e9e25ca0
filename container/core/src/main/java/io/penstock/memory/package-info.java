/** Keeps the server's threads alive when memory runs out, and notices when it does not come back. */
@NullMarked
package io.penstock.memory;

import org.jspecify.annotations.NullMarked;

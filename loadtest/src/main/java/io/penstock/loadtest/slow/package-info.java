/** Tests whether a server keeps answering beside slow clients: a crowd of them, and requests at a constant rate. */
@NullMarked
package io.penstock.loadtest.slow;

import org.jspecify.annotations.NullMarked;

/** Five ways of copying a file. */
@NullMarked
package io.penstock.loadtest.io.copy;

import org.jspecify.annotations.NullMarked;

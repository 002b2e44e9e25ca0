/** What Boot finds by itself when Penstock is on the class path. */
@NullMarked
package io.penstock.boot.autoconfigure;

import org.jspecify.annotations.NullMarked;

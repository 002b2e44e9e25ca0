/** Compares five ways of copying a file. */
@NullMarked
package io.penstock.experiments.io.copy;

import org.jspecify.annotations.NullMarked;

/** Appends to a file: conventional, and asynchronous with three kinds of pools. */
@NullMarked
package io.penstock.experiments.io.appends;

import org.jspecify.annotations.NullMarked;

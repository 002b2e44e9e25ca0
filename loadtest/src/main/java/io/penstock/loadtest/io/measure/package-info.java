/** How the experiments of {@code loadtest io} measure: rounds in turns, JMH, and files that are always removed. */
@NullMarked
package io.penstock.loadtest.io.measure;

import org.jspecify.annotations.NullMarked;

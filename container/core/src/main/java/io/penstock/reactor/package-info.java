/** Selector threads: selecting, channels, deadlines and the one door by which other threads reach them. Knows no HTTP. */
@NullMarked
package io.penstock.reactor;

import org.jspecify.annotations.NullMarked;

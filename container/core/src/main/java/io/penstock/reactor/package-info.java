/** Selector threads: selecting, channels, deadlines and the only way by which other threads reach them. Knows no HTTP. */
@NullMarked
package io.penstock.reactor;

import org.jspecify.annotations.NullMarked;

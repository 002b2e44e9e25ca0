/** The bounded request queue and the fixed set of worker threads. Does not know what a job is. */
@NullMarked
package io.penstock.work;

import org.jspecify.annotations.NullMarked;

/** The bounded request queue and the fixed set of worker threads. Knows no requests, only jobs. */
@NullMarked
package io.penstock.work;

import org.jspecify.annotations.NullMarked;

/**
 * The bounded request queue and the fixed set of worker threads. This package handles requests only as {@link io.penstock.work.Job jobs}.
 */
@NullMarked
package io.penstock.work;

import org.jspecify.annotations.NullMarked;

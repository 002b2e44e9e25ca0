/** Dispatches an admitted exchange to filters and servlets, including forwards, includes, error pages and asynchronous dispatches. */
@NullMarked
package io.penstock.dispatch;

import org.jspecify.annotations.NullMarked;

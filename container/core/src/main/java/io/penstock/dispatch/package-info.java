/** Leads an admitted exchange to filters and servlets, and to further servlets: forward, include, error, asynchronous dispatch. */
@NullMarked
package io.penstock.dispatch;

import org.jspecify.annotations.NullMarked;

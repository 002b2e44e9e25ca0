/** From an admitted exchange to filters and servlets, and on to other servlets: forward, include, error, asynchronous. */
@NullMarked
package io.penstock.dispatch;

import org.jspecify.annotations.NullMarked;

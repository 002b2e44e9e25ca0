/** What is measured of requests, in memory that does not grow whatever clients send, and how figures are written for who scrapes them. */
@NullMarked
package io.penstock.metrics;

import org.jspecify.annotations.NullMarked;

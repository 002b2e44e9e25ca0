/** The application's view of one exchange: the request, the response and their streams. */
@NullMarked
package io.penstock.request;

import org.jspecify.annotations.NullMarked;

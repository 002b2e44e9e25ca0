/** The application's view of one exchange: request, response and their streams, over small delegates. */
@NullMarked
package io.penstock.request;

import org.jspecify.annotations.NullMarked;

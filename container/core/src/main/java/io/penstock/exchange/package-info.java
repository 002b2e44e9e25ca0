/** One request and its response, whatever protocol carried them. */
@NullMarked
package io.penstock.exchange;

import org.jspecify.annotations.NullMarked;

/** Rules of the operator that add header fields to responses, depending on the path. Some rules are for cross-origin requests (CORS). */
@NullMarked
package io.penstock.rules;

import org.jspecify.annotations.NullMarked;

/** Fields that the server adds to responses, by path: those of the operator's rules, and those of cross-origin requests (CORS). */
@NullMarked
package io.penstock.rules;

import org.jspecify.annotations.NullMarked;

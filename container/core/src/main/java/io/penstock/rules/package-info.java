/** Fields that the server adds to responses by path: the operator's rules, and the fields of cross-origin requests (CORS). */
@NullMarked
package io.penstock.rules;

import org.jspecify.annotations.NullMarked;

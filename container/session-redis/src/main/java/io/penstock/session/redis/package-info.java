/** Sessions in Redis, which several servers share. */
@NullMarked
package io.penstock.session.redis;

import org.jspecify.annotations.NullMarked;

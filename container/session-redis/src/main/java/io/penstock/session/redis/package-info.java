/** Stores sessions in Redis. Several servers can share these sessions. */
@NullMarked
package io.penstock.session.redis;

import org.jspecify.annotations.NullMarked;

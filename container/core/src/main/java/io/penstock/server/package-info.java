/** The server itself, which is neither a protocol nor an application: its threads, its connections, its figures and its end. */
@NullMarked
package io.penstock.server;

import org.jspecify.annotations.NullMarked;

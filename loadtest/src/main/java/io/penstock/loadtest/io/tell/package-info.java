/** What it costs a server to tell its listeners of a request. The only package that knows the server's own listeners. */
@NullMarked
package io.penstock.loadtest.io.tell;

import org.jspecify.annotations.NullMarked;

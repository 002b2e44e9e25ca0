/** Sessions of one web application: life cycle, expiry and storage (Servlet 6.1, chapter 7). The package does not depend on requests. */
@NullMarked
package io.penstock.session;

import org.jspecify.annotations.NullMarked;

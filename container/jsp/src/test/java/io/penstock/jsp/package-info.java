/** Tests of JSP pages over real sockets. */
@NullMarked
package io.penstock.jsp;

import org.jspecify.annotations.NullMarked;

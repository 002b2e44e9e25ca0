/** The users of an LDAP directory. Needs the module {@code java.naming}. A server without such users loads no class of this package. */
@NullMarked
package io.penstock.ldap;

import org.jspecify.annotations.NullMarked;

/** From what an operator or an embedding program names (WAR, folder, code) to a web application that runs. */
@NullMarked
package io.penstock.deploy;

import org.jspecify.annotations.NullMarked;

/** What class files say of themselves, read without loading a class. */
@NullMarked
package io.penstock.classfile;

import org.jspecify.annotations.NullMarked;

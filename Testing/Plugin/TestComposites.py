# SPDX-FileCopyrightText: Copyright (c) the VulkanMarchingCubes developers
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of composite data sets of images, overlapping AMR and time series.

usage: pvpython TestComposites.py. VMC_VOLUME_FILES in the environment may name the folder that contains amr/ (a real
AMR).
"""
import os
import unittest

import numpy
import plugin_test
from paraview import simple
from plugin_test import image_of, producer_of
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import (vtkAMRBox, vtkDataSetAttributes, vtkMultiBlockDataSet, vtkOverlappingAMR,
                                           vtkPartitionedDataSetCollection, vtkPolyData, vtkRectilinearGrid,
                                           vtkStructuredData, vtkUniformGrid)
from vtkmodules.vtkFiltersCore import vtkAppendPolyData, vtkCleanPolyData, vtkFeatureEdges

ISOVALUE = 0.5


def blocks():
    """Names and images: three parts of the volume of different sizes, each at its position in the volume."""
    density = plugin_test.density()
    return [("west", image_of(density[:, :, :7])),
            ("middle", image_of(density[:9, :, 6:15], origin=(6, 0, 0))),
            ("east", image_of(density[:, 4:, 14:], origin=(14, 4, 0)))]


def grid_of(image):
    """A rectilinear grid with the points and the cell arrays of an image."""
    grid = vtkRectilinearGrid()
    grid.SetDimensions(image.GetDimensions())
    for axis, set_coordinates in enumerate((grid.SetXCoordinates, grid.SetYCoordinates, grid.SetZCoordinates)):
        steps = numpy.arange(image.GetDimensions()[axis])
        set_coordinates(numpy_to_vtk(image.GetOrigin()[axis] + image.GetSpacing()[axis] * steps, deep=True))
    grid.GetCellData().ShallowCopy(image.GetCellData())
    return grid


def multiblock():
    data = vtkMultiBlockDataSet()
    for i, (_, image) in enumerate(blocks()):
        data.SetBlock(i, image)
    return data


def bricks_of(image):
    return int(numpy.prod([(n - 1 + 7) // 8 for n in image.GetDimensions()]))


def contour_of(source, isovalue=ISOVALUE, array="density", **properties):
    return simple.VulkanMarchingCubes(Input=source, ContourBy=["CELLS", array], Isosurfaces=[isovalue], **properties)


def output_of(contour):
    contour.UpdatePipeline()
    return contour.GetClientSideObject().GetOutputDataObject(0)


def bytes_of(mesh):
    """Points, triangles and normals."""
    arrays = (mesh.GetPoints().GetData(), mesh.GetPolys().GetConnectivityArray(), mesh.GetPointData().GetArray("Normals"))
    return [plugin_test.vtk_to_numpy(array).tobytes() for array in arrays]


def leaves_of(composite):
    """The leaves of the composite data set, in order."""
    leaves = []
    iterator = composite.NewIterator()
    while not iterator.IsDoneWithTraversal():
        leaves.append(iterator.GetCurrentDataObject())
        iterator.GoToNextItem()
    return leaves


def open_edges(mesh):
    """The edges (ids of two points) that one triangle uses."""
    triangles = plugin_test.vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)
    edges = numpy.sort(numpy.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    unique, uses = numpy.unique(edges, axis=0, return_counts=True)
    return unique[uses == 1]


def border_of(output):
    """Numbers of triangles and of edges of one triangle only, where points at the same place are one."""
    append, clean, edges = vtkAppendPolyData(), vtkCleanPolyData(), vtkFeatureEdges()
    for leaf in leaves_of(output) if output.IsA("vtkCompositeDataSet") else [output]:
        append.AddInputData(leaf)
    clean.SetInputConnection(append.GetOutputPort())
    clean.ToleranceIsAbsoluteOn()
    clean.SetAbsoluteTolerance(1e-5)  # float coordinates below 32
    edges.SetInputConnection(clean.GetOutputPort())
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOff()
    edges.NonManifoldEdgesOff()
    edges.Update()
    return append.GetOutput().GetNumberOfPolys(), edges.GetOutput().GetNumberOfCells()


def centroids(mesh):
    points = plugin_test.vtk_to_numpy(mesh.GetPoints().GetData()).astype(float)
    return points[plugin_test.vtk_to_numpy(mesh.GetPolys().GetConnectivityArray()).reshape(-1, 3)].mean(axis=1)


def is_within(points, image):
    low, high = numpy.reshape(image.GetBounds(), (3, 2)).T
    return ((points > low) & (points < high)).all(axis=1)


def cell_centres(image):
    """Centres [cell, axis], in the order of cell ids."""
    axes = [image.GetOrigin()[a] + image.GetSpacing()[a] * (image.GetExtent()[2 * a] + 0.5 + numpy.arange(n - 1))
            for a, n in enumerate(image.GetDimensions())]
    z, y, x = numpy.meshgrid(*axes[::-1], indexing="ij")
    return numpy.stack([x.ravel(), y.ravel(), z.ravel()], axis=1)


class TriangleTable:
    """Numbers of triangles of vtkFlyingEdges3D for the 256 cases of a dual cell."""

    def __init__(self):
        corners = [numpy.array([case >> k & 1 for k in range(8)], numpy.float32).reshape(2, 2, 2) for case in range(256)]
        self.triangles = numpy.array([plugin_test.flying_edges(corner, 0.5)[1] for corner in corners])

    def count(self, values, blank, isovalue):
        """Number of triangles of all dual cells without a blank corner. Arrays are [z, y, x]."""
        if min(values.shape) < 2:
            return 0
        z, y, x = (n - 1 for n in values.shape)
        case, usable = numpy.zeros((z, y, x), int), numpy.ones((z, y, x), bool)
        for k in range(8):
            part = numpy.s_[k >> 2:(k >> 2) + z, (k >> 1 & 1):(k >> 1 & 1) + y, (k & 1):(k & 1) + x]
            case |= (values[part] >= isovalue).astype(int) << k
            usable &= ~blank[part]
        return int(self.triangles[case[usable]].sum())


def synthetic_amr():
    """Two levels: the volume, and one block of half the spacing that covers its middle."""
    coarse = plugin_test.density()
    fine = coarse[4:10, 5:13, 6:14].repeat(2, 0).repeat(2, 1).repeat(2, 2)
    fine = fine + 0.01 * numpy.random.default_rng(9).random(fine.shape).astype(numpy.float32)
    grids = [image_of(coarse, kind=vtkUniformGrid), image_of(fine, (6, 5, 4), (0.5,) * 3, vtkUniformGrid)]
    refined = is_within(cell_centres(grids[0]), grids[1])
    ghosts = plugin_test.flat((refined * vtkDataSetAttributes.REFINEDCELL).astype(numpy.uint8))
    plugin_test.add_cell_array(grids[0], vtkDataSetAttributes.GhostArrayName(), ghosts)
    amr = vtkOverlappingAMR()
    amr.Initialize(2, [1, 1])
    amr.SetOrigin([0, 0, 0])
    dimensions = vtkStructuredData.GetDataDescription(grids[0].GetDimensions())
    amr.SetGridDescription(dimensions)
    for level, grid in enumerate(grids):
        box = vtkAMRBox(grid.GetOrigin(), grid.GetDimensions(), grid.GetSpacing(), [0, 0, 0], dimensions)
        amr.SetSpacing(level, grid.GetSpacing())
        amr.SetAMRBox(level, 0, box)
        amr.SetDataSet(level, 0, grid)
    return amr


def real_amr(test):
    """The reader of a file of an AMR. Skips the test without the file."""
    path = os.path.join(os.environ.get("VMC_VOLUME_FILES", ""), "amr", "HierarchicalBoxDataset.v1.1.vthb")
    if not os.path.exists(path):
        test.skipTest(f"{path} does not exist; VMC_VOLUME_FILES names the folder that contains amr.")
    reader = simple.XMLUniformGridAMRReader(FileName=[path], DefaultNumberOfLevels=8)
    reader.UpdatePipeline()
    return reader


def halves():
    """The two halves of the volume along x, without ghost cells."""
    density = plugin_test.density()
    data = vtkMultiBlockDataSet()
    data.SetBlock(0, image_of(density[:, :, :7]))
    data.SetBlock(1, image_of(density[:, :, 7:], origin=(7, 0, 0)))
    return data


class Leaves(plugin_test.SourcesTest):
    """With Join Blocks off."""

    def assert_leaf_by_leaf(self, leaves):
        self.assertEqual(len(leaves), len(blocks()))
        for leaf, (name, image) in zip(leaves, blocks()):
            alone = output_of(contour_of(producer_of(image)))
            self.assertGreater(alone.GetNumberOfPolys(), 0, name)
            self.assertEqual(bytes_of(leaf), bytes_of(alone), name)

    def test_the_blocks_of_a_multiblock_are_contoured_one_by_one(self):
        data = vtkMultiBlockDataSet()
        for i, (name, image) in enumerate(blocks()):
            data.SetBlock(i, image)
            data.GetMetaData(i).Set(data.NAME(), name)
        contour = contour_of(producer_of(data), JoinBlocks=0)
        messages = plugin_test.Messages(contour)
        self.assertTrue(contour.GetProperty("Input").SMProperty.IsInDomains())
        output = output_of(contour)
        self.assert_leaf_by_leaf([output.GetBlock(i) for i in range(output.GetNumberOfBlocks())])
        self.assertEqual([output.GetMetaData(i).Get(output.NAME()) for i in range(3)], [name for name, _ in blocks()])
        self.assertEqual((messages.warnings, messages.errors), (0, 0))

    def test_another_isovalue_uploads_no_leaf_and_times_are_those_of_all(self):
        contour = contour_of(producer_of(multiblock()), JoinBlocks=0)
        for isovalue, uploads in ((ISOVALUE, True), (ISOVALUE / 2, False), (ISOVALUE, False)):
            contour.Isosurfaces = [isovalue]
            contour.UpdatePipeline()
            contour.UpdatePropertyInformation()
            self.assertEqual((contour.UploadTime > 0, contour.IndexTime > 0),
                             (uploads and not plugin_test.ON_CPU, uploads))
        self.assertEqual(contour.NumberOfBricks, sum(bricks_of(image) for _, image in blocks()))
        self.assertGreater(contour.NumberOfActiveBricks, 0)
        self.assertGreater(contour.TotalTime, contour.ExtractTime)
        self.assertNotIn(";", contour.UsedDevice)

    @unittest.skipIf(plugin_test.ON_CPU, "The CPU uses no device memory.")
    def test_the_memory_of_leaves_that_are_gone_comes_back(self):
        data = vtkMultiBlockDataSet()
        for i in range(8):
            data.SetBlock(i, image_of(numpy.roll(plugin_test.density(), i, axis=0)))
        producer = producer_of(data)
        contour = contour_of(producer, JoinBlocks=0)
        memory = []
        for count in (1, 8, 1, 1):
            data.SetNumberOfBlocks(count)
            for i in range(count):
                if data.GetBlock(i) is None:
                    data.SetBlock(i, image_of(numpy.roll(plugin_test.density(), i, axis=0)))
            data.Modified()
            producer.GetClientSideObject().Modified()
            contour.Isosurfaces = [ISOVALUE - 1e-4 * len(memory)]
            contour.UpdatePipeline()
            contour.UpdatePropertyInformation()
            memory.append(contour.DeviceMemory)
        self.assertGreater(memory[1], memory[0] + 7 * plugin_test.density().nbytes)
        self.assertLess(memory[3], memory[1] / 2)

    def test_nested_and_missing_blocks_keep_their_places(self):
        inner, data = vtkMultiBlockDataSet(), vtkMultiBlockDataSet()
        inner.SetNumberOfBlocks(2)
        inner.SetBlock(1, blocks()[1][1])
        data.SetNumberOfBlocks(3)
        data.SetBlock(1, inner)
        data.SetBlock(2, blocks()[2][1])
        output = output_of(contour_of(producer_of(data), JoinBlocks=0))
        self.assertIsNone(output.GetBlock(0))
        self.assertIsNone(output.GetBlock(1).GetBlock(0))
        for leaf, (_, image) in zip((output.GetBlock(1).GetBlock(1), output.GetBlock(2)), blocks()[1:]):
            self.assertEqual(bytes_of(leaf), bytes_of(output_of(contour_of(producer_of(image)))))

    def test_the_partitions_of_a_collection_are_contoured_one_by_one(self):
        data = vtkPartitionedDataSetCollection()
        (first, one), (_, two), (second, three) = blocks()
        data.SetPartition(0, 0, one)
        data.SetPartition(0, 1, two)
        data.SetPartition(1, 0, three)
        for i, name in enumerate((first, second)):
            data.GetMetaData(i).Set(vtkMultiBlockDataSet.NAME(), name)
        contour = contour_of(producer_of(data), JoinBlocks=0)
        self.assertTrue(contour.GetProperty("Input").SMProperty.IsInDomains())
        output = output_of(contour)
        self.assertTrue(output.IsA("vtkPartitionedDataSetCollection"), output.GetClassName())
        self.assertEqual([output.GetNumberOfPartitions(i) for i in range(2)], [2, 1])
        self.assertEqual([output.GetMetaData(i).Get(vtkMultiBlockDataSet.NAME()) for i in range(2)], [first, second])
        self.assert_leaf_by_leaf(leaves_of(output))

    def test_the_default_array_is_one_of_the_images(self):
        surface = output_of(contour_of(producer_of(blocks()[0][1])))  # with the point arrays "Normals" and "density"
        heights = plugin_test.flat(plugin_test.vtk_to_numpy(surface.GetPoints().GetData())[:, 2])
        heights.SetName("altitude")
        surface.GetPointData().AddArray(heights)
        constant = image_of(numpy.full((4, 4, 4), 7, numpy.float32))
        for image, parent in ((blocks()[1][1], None), (blocks()[1][1], vtkMultiBlockDataSet()), (constant, None)):
            data = vtkMultiBlockDataSet()
            data.SetBlock(0, surface)
            if parent:
                parent.SetBlock(0, image)
            data.SetBlock(1, parent or image)
            with self.subTest(nested=parent is not None, constant=image is constant):
                contour = simple.VulkanMarchingCubes(Input=producer_of(data))
                self.assertEqual(list(contour.ContourBy), ["CELLS", "density"])

    def test_a_rectilinear_grid_is_contoured_as_the_image_of_its_points(self):
        image = blocks()[1][1]
        data = vtkMultiBlockDataSet()
        data.SetBlock(0, grid_of(image))
        expected = output_of(contour_of(producer_of(image)))
        for mesh in (output_of(contour_of(producer_of(grid_of(image)))),
                     output_of(contour_of(producer_of(data), JoinBlocks=0)).GetBlock(0)):
            self.assertGreater(mesh.GetNumberOfPolys(), 0)
            self.assertEqual(bytes_of(mesh)[1], bytes_of(expected)[1])
            points, others = (plugin_test.vtk_to_numpy(each.GetPoints().GetData()) for each in (mesh, expected))
            numpy.testing.assert_allclose(points, others, rtol=0, atol=2e-6)  # a unit of floats below 32

    def test_a_leaf_that_is_no_image_gives_nothing(self):
        data = vtkMultiBlockDataSet()
        data.SetBlock(0, vtkPolyData())
        data.SetBlock(1, blocks()[1][1])
        output = output_of(contour_of(producer_of(data), JoinBlocks=0))
        empty = output.GetBlock(0)
        self.assertTrue(empty is None or empty.GetNumberOfPoints() == 0)
        self.assertEqual(bytes_of(output.GetBlock(1)), bytes_of(output_of(contour_of(producer_of(blocks()[1][1])))))


class Joined(plugin_test.SourcesTest):
    """With Join Blocks on, which is the default."""

    def output_without_messages(self, source, *arguments, **properties):
        contour = contour_of(source, *arguments, **properties)
        messages = plugin_test.Messages(contour)
        output = output_of(contour)
        self.assertEqual((messages.warnings, messages.errors), (0, 0))
        self.assertTrue(output.IsA("vtkPolyData"), output.GetClassName())
        return output

    def test_blocks_with_and_without_ghost_cells_give_the_surface_of_the_image(self):
        whole = border_of(self.output_without_messages(producer_of(image_of(plugin_test.density()))))
        self.assertEqual(whole[1], 0)
        source = producer_of(halves())
        self.assertEqual(border_of(self.output_without_messages(source)), whole)
        name = "GhostCells" if hasattr(simple, "GhostCells") else "GhostCellsGenerator"
        ghosts = getattr(simple, name)(Input=source)
        for join in (0, 1):
            contour = contour_of(ghosts, JoinBlocks=join)
            messages = plugin_test.Messages(contour)
            self.assertEqual(border_of(output_of(contour)), whole)
            self.assertEqual((messages.warnings, messages.errors), (0, 0))

    def test_the_levels_of_an_amr_give_a_closed_surface(self):
        output = self.output_without_messages(producer_of(synthetic_amr()))
        self.assert_closed(output)

    def test_the_hierarchical_fractal_has_no_cracks(self):
        for settings in ({}, {"Asymetric": 0}, {"GhostLevels": 0}):
            source = simple.HierarchicalFractal(Dimensions=10, MaximumLevel=4, TwoDimensional=0, **settings)
            output = self.output_without_messages(source, 0.5, "Fractal Volume Fraction")
            with self.subTest(**settings):
                self.assertGreater(output.GetNumberOfPolys(), 0)
                self.assertEqual(self.open_edges_inside(output, source), 0)

    def test_sample_ids_have_blocks_and_levels(self):
        output = self.output_without_messages(producer_of(synthetic_amr()), ComputeSampleIds=1)
        ids, blocks, levels = (plugin_test.vtk_to_numpy(output.GetCellData().GetArray(name))
                               for name in ("SampleIds", "SampleBlocks", "SampleLevels"))
        grids = leaves_of(synthetic_amr())
        self.assertEqual(set(levels), {0, 1})
        self.assertEqual(len(set(blocks)), 2)
        for level, grid in enumerate(grids):
            centres = cell_centres(grid)[ids[levels == level]]
            self.assertLess(numpy.abs(centroids(output)[levels == level] - centres).max(), 1 + 1e-5)

    def test_the_output_follows_the_property(self):
        contour = contour_of(producer_of(halves()))
        clean = simple.Clean(Input=contour)  # of vtkPolyData, also of each leaf
        counts = []
        for join, kind in ((1, "vtkPolyData"), (0, "vtkMultiBlockDataSet"), (1, "vtkPolyData")):
            contour.JoinBlocks = join
            self.assertTrue(output_of(contour).IsA(kind))
            self.assertEqual(contour.GetDataInformation().GetCompositeDataSetType() >= 0, join == 0)
            clean.UpdatePipeline()
            counts.append(clean.GetDataInformation().GetNumberOfCells())
        self.assertEqual(counts[0], counts[2])
        self.assertLess(counts[1], counts[0])

    def test_another_isovalue_reads_no_samples(self):
        contour = contour_of(producer_of(synthetic_amr()))
        for isovalue, reads in ((ISOVALUE, True), (ISOVALUE / 2, False), (ISOVALUE, False)):
            contour.Isosurfaces = [isovalue]
            contour.UpdatePipeline()
            contour.UpdatePropertyInformation()
            self.assertEqual(contour.UploadTime > 0, reads)

    def test_a_real_amr_has_no_cracks(self):
        reader = real_amr(self)
        for isovalue in (0.3, 0.5, 1.0):
            output = self.output_without_messages(reader, isovalue, "Fractal Volume Fraction")
            self.assertGreater(output.GetNumberOfPolys(), 0)
            self.assertEqual(self.open_edges_inside(output, reader), 0)

    def assert_closed(self, output):
        self.assertGreater(output.GetNumberOfPolys(), 0)
        self.assertEqual(len(open_edges(output)), 0)

    def open_edges_inside(self, output, source):
        """The number of open edges farther from the border of the domain than the centres of the outermost cells."""
        amr = source.GetClientSideObject().GetOutputDataObject(0)
        bounds = numpy.array([leaf.GetBounds() for leaf in leaves_of(amr)])
        low, high = bounds[:, 0::2].min(axis=0), bounds[:, 1::2].max(axis=0)
        largest = max(max(leaf.GetSpacing()) for leaf in leaves_of(amr))
        points = plugin_test.vtk_to_numpy(output.GetPoints().GetData())[open_edges(output)]
        inside = ((points > low + largest * 0.501) & (points < high - largest * 0.501)).all(axis=2)
        return int(inside.any(axis=1).sum())


class Gaps(plugin_test.SourcesTest):
    """With Join Blocks off, or where blocks cannot be joined."""

    def contour_and_count(self, source, warnings, **properties):
        contour = contour_of(source, **properties)
        messages = plugin_test.Messages(contour)
        result = border_of(output_of(contour))
        self.assertEqual((messages.warnings, messages.errors), (warnings, 0))
        return result

    def test_leaves_without_ghost_cells_have_gaps_and_a_warning(self):
        self.assertGreater(self.contour_and_count(producer_of(halves()), 1, JoinBlocks=0)[1], 0)
        self.assertGreater(self.contour_and_count(producer_of(synthetic_amr()), 1, JoinBlocks=0)[1], 0)

    def test_joined_blocks_have_one_border(self):
        closed = self.contour_and_count(producer_of(halves()), 0, Boundary="Close")
        leaves = self.contour_and_count(producer_of(halves()), 1, Boundary="Close", JoinBlocks=0)
        self.assertLess(closed[0], leaves[0])  # without caps between the blocks
        self.assertEqual(closed[1], 0)


class Amr(plugin_test.SourcesTest):
    """Leaf by leaf, but for the default array."""

    def test_no_triangle_lies_where_a_finer_level_exists(self):
        triangles = self.check(producer_of(synthetic_amr()), "density", ISOVALUE)
        self.assertTrue((triangles > 0).all(), triangles)

    def test_the_default_array_varies_and_numbers_nothing(self):
        """Names in alphabetical order come first, so each of these arrays would be the default."""
        for amr in (False, True):
            data = synthetic_amr() if amr else multiblock()
            for number, leaf in enumerate(leaves_of(data)):
                cells = leaf.GetNumberOfCells()
                for name, values in (("a constant", numpy.full(cells, 7.0)), ("Block Id", numpy.full(cells, number)),
                                     ("afterwards", numpy.full(cells, number % 2, numpy.int8)),
                                     ("GlobalIds", numpy.arange(cells) + 1000 * number)):
                    plugin_test.add_cell_array(leaf, name, plugin_test.flat(values))
            with self.subTest(amr=amr):
                contour = simple.VulkanMarchingCubes(Input=producer_of(data))
                self.assertEqual(list(contour.ContourBy), ["CELLS", "density"])
                contour.UpdatePipeline()
                self.assertGreater(contour.NumberOfTriangles, 0)

    def test_a_real_amr_is_contoured_on_its_finest_cells(self):
        reader = real_amr(self)
        name = "Fractal Volume Fraction"
        triangles = sum(self.check(reader, name, isovalue) for isovalue in (0.3, 0.5, 1.0))
        self.assertEqual(len(triangles), 4)
        self.assertGreater(triangles.sum(), 0)

    def check(self, source, name, isovalue):
        """Compares each leaf of the output with a count on the host. Returns the number of triangles per level."""
        contour = contour_of(source, isovalue, name, JoinBlocks=0)
        messages = plugin_test.Messages(contour)
        self.assertTrue(contour.GetProperty("Input").SMProperty.IsInDomains())
        amr = source.GetClientSideObject().GetOutputDataObject(0)
        levels = [[amr.GetDataSet(level, i) for i in range(amr.GetNumberOfDataSets(level))]
                  for level in range(amr.GetNumberOfLevels())]
        leaves = iter(leaves_of(output_of(contour)))
        self.assertEqual((messages.warnings, messages.errors), (1, 0))  # about the gaps between the levels
        table, triangles = TriangleTable(), numpy.zeros(len(levels), int)
        for level, images in enumerate(levels):
            finer = levels[level + 1] if level + 1 < len(levels) else []
            for image in images:
                triangles[level] += self.check_leaf(next(leaves), image, finer, name, isovalue, table)
        self.assertRaises(StopIteration, next, leaves)
        return triangles

    def check_leaf(self, leaf, image, finer, name, isovalue, table):
        centres = cell_centres(image)
        refined = numpy.zeros(len(centres), bool)
        for other in finer:
            refined |= is_within(centres, other)
        shape = [n - 1 for n in image.GetDimensions()][::-1]
        values = plugin_test.vtk_to_numpy(image.GetCellData().GetArray(name)).reshape(shape)
        self.assertEqual(leaf.GetNumberOfPolys(), table.count(values, refined.reshape(shape), isovalue))
        if leaf.GetNumberOfPolys() > 0:
            for other in finer:
                self.assertFalse(is_within(centroids(leaf), other).any())
        return leaf.GetNumberOfPolys()


class TimeSeries(plugin_test.SourcesTest):
    STEPS = 200

    def test_only_a_changed_step_uploads_and_memory_does_not_grow(self):
        values = numpy.random.default_rng(3).random((64, 64, 64), numpy.float32)
        image = image_of(values)
        producer = producer_of(image)
        contour = contour_of(producer, 0.999)
        resident = []
        for step in range(self.STEPS):
            changed = step % 2 == 0
            if changed:
                plugin_test.add_cell_array(image, "density", plugin_test.flat(numpy.roll(values, step, axis=2)))
            contour.Isosurfaces = [0.999 - 1e-6 * step]  # a new isovalue, so that the filter runs at each step
            self.run_step(image, producer, contour)
            uploads = (contour.UploadTime > 0, contour.IndexTime > 0)
            self.assertEqual(uploads, (changed and not plugin_test.ON_CPU, changed), f"step {step}")
            resident.append(resident_bytes())
        growth = max(resident[-20:]) - min(resident[20:40])
        print(f"Resident memory grew by {growth} bytes over steps 20 to {self.STEPS}.", flush=True)
        # These steps upload 80 changed volumes of 1 MiB. The allocator may keep the memory of 16 of them.
        self.assertLess(growth, 16 * values.nbytes)

    def test_a_change_in_place_that_is_told_uploads(self):
        image = image_of(plugin_test.density())
        producer = producer_of(image)
        contour = contour_of(producer)
        self.run_step(image, producer, contour)
        array = image.GetCellData().GetArray("density")
        plugin_test.vtk_to_numpy(array)[:] = plugin_test.density().ravel() / 2
        array.Modified()
        self.run_step(image, producer, contour)
        self.assertGreater(contour.IndexTime, 0)
        self.assertEqual(plugin_test.counts(contour), plugin_test.flying_edges(plugin_test.density() / 2, ISOVALUE))

    def run_step(self, image, producer, contour):
        image.Modified()
        producer.GetClientSideObject().Modified()
        contour.UpdatePipeline()
        contour.UpdatePropertyInformation()


def resident_bytes():
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if not plugin_test.device_names():
    plugin_test.skip("no Vulkan device.")
plugin_test.run()
